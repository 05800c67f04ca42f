/** What the shop remembers, in a file: its users, who is logged in, orders, and every attempt to pay one. */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

export interface User {
  id: number
  name: string
  /** Links to the wallet. Not unique: two users of the shop may pay from one wallet. */
  serviceUserId?: string
}

export interface Order {
  id: number
  userId: number
  item: string
  /** Decimal, as it is sent: '4.50'. */
  price: string
  status: 'open' | 'paid' | 'refunded'
}

const SCHEMA = `
  create table if not exists users (
    id integer primary key, name text not null unique, password blob not null, salt blob not null,
    service_user_id text
  );
  create table if not exists log_ins (token text primary key, user_id integer not null);
  create table if not exists orders (
    id integer primary key, user_id integer not null, item text not null, price text not null,
    status text not null default 'open'
  );
  create table if not exists attempts (
    order_id integer not null, number integer not null, status text not null default 'pending',
    primary key (order_id, number)
  );`

export type Store = ReturnType<typeof openStore>

export function openStore(file: string) {
  const db = new DatabaseSync(file)
  db.exec(SCHEMA)
  return { ...keepUsers(db), ...keepOrders(db), close: () => db.close() }
}

function keepUsers(db: DatabaseSync) {
  return {
    addUser(name: string, password: string): User | undefined {
      const salt = randomBytes(16)
      const row = db
        .prepare(
          'insert into users (name, password, salt) values (?, ?, ?) on conflict do nothing returning *',
        )
        .get(name, scryptSync(password, salt, 32), salt)
      return toUser(row)
    },

    findUser(name: string, password: string): User | undefined {
      const row = db.prepare('select * from users where name = ?').get(name)
      if (row === undefined) return undefined
      const hash = scryptSync(password, row['salt'] as Uint8Array, 32)
      return timingSafeEqual(hash, row['password'] as Uint8Array) ? toUser(row) : undefined
    },

    logIn(user: User): string {
      const token = randomBytes(24).toString('base64url')
      db.prepare('insert into log_ins values (?, ?)').run(token, user.id)
      return token
    },

    findLogIn(token: string): User | undefined {
      return toUser(
        db
          .prepare('select u.* from log_ins l join users u on u.id = l.user_id where token = ?')
          .get(token),
      )
    },

    logOut(token: string) {
      db.prepare('delete from log_ins where token = ?').run(token)
    },

    saveLink(user: User, serviceUserId: string) {
      db.prepare('update users set service_user_id = ? where id = ?').run(serviceUserId, user.id)
    },

    removeLink(user: User) {
      db.prepare('update users set service_user_id = null where id = ?').run(user.id)
    },
  }
}

function keepOrders(db: DatabaseSync) {
  return {
    addOrder(user: User, item: string, price: string) {
      db.prepare('insert into orders (user_id, item, price) values (?, ?, ?)').run(
        user.id,
        item,
        price,
      )
    },

    /** Newest first; only the user's own. */
    listOrders(user: User): Order[] {
      return db
        .prepare('select * from orders where user_id = ? order by id desc')
        .all(user.id)
        .map(toOrder)
    },

    findOrder(user: User, id: number): Order | undefined {
      const row = db.prepare('select * from orders where id = ? and user_id = ?').get(id, user.id)
      return row && toOrder(row)
    },

    markRefunded(order: Order) {
      db.prepare(`update orders set status = 'refunded' where id = ?`).run(order.id)
    },

    /** The attempt that is still open, or the next one: written down before any money moves. */
    beginAttempt(order: Order): number {
      const pending = db
        .prepare(`select number from attempts where order_id = ? and status = 'pending'`)
        .get(order.id)
      if (pending !== undefined) return Number(pending['number'])
      const next = db
        .prepare(
          `insert into attempts (order_id, number)
          select ?, coalesce(max(number), 0) + 1 from attempts where order_id = ? returning number`,
        )
        .get(order.id, order.id)
      return Number(next?.['number'])
    },

    /** The order comes first: should the process die between the two, nobody is asked to pay it again. */
    endAttempt(order: Order, number: number, status: 'paid' | 'refused') {
      if (status === 'paid') {
        db.prepare(`update orders set status = 'paid' where id = ? and status = 'open'`).run(
          order.id,
        )
      }
      db.prepare('update attempts set status = ? where order_id = ? and number = ?').run(
        status,
        order.id,
        number,
      )
    },
  }
}

type Row = Record<string, unknown>

function toUser(row: Row | undefined): User | undefined {
  if (row === undefined) return undefined
  const {
    id,
    name,
    service_user_id: serviceUserId,
  } = row as {
    id: number
    name: string
    service_user_id: string | null
  }
  // Absent, not null: an absent field is what "not linked" means.
  return serviceUserId === null ? { id, name } : { id, name, serviceUserId }
}

function toOrder(row: Row): Order {
  const { id, user_id: userId, item, price, status } = row as unknown as Order & { user_id: number }
  return { id, userId, item, price, status }
}
