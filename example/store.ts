/** What the shop remembers, in a file: its users, who is logged in, orders, and every attempt to pay one. */
import type { Verifier } from '@coffer/sdk'
import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

export interface User {
  id: number
  name: string
  /** Links to the wallet. Not unique: two users of the shop may pay from one wallet. */
  serviceUserId?: string
}

export interface Order {
  /**
   * Random, because references contain it, and a reference is recorded forever. A number that counts up starts at 1
   * again with an empty database: the order would then look paid, and no money would move.
   */
  id: string
  userId: number
  item: string
  /** Decimal, as it is sent: '4.50'. */
  price: string
  status: 'open' | 'reserved' | 'paid' | 'partly refunded' | 'refunded' | 'canceled'
}

const SCHEMA = `
  create table users (
    id integer primary key, name text not null unique, password blob not null, salt blob not null,
    service_user_id text
  );
  create table log_ins (
    token text primary key, user_id integer not null, verifier text, challenge text
  );
  create table orders (
    id text primary key, user_id integer not null, item text not null, price text not null,
    status text not null default 'open'
  );
  create table attempts (
    order_id text not null, number integer not null, status text not null default 'pending',
    primary key (order_id, number)
  );
  create table attempt_wallets (
    order_id text not null, number integer not null, service_user_id text not null,
    primary key (order_id, number, service_user_id)
  );
  create table webhook_events (id text primary key);`

/** Raise it with every change of the schema. */
const SCHEMA_VERSION = 4

export type Store = ReturnType<typeof openStore>

export function openStore(file: string) {
  const db = new DatabaseSync(file)
  const isNew = db.prepare('select 1 from sqlite_schema').get() === undefined
  if (isNew) db.exec(`${SCHEMA} pragma user_version = ${SCHEMA_VERSION}`)
  const { user_version: version } = db.prepare('pragma user_version').get() ?? {}
  if (version !== SCHEMA_VERSION) {
    db.close()
    throw new Error(
      `${file} was written by another version of this shop. Delete it, or set SHOP_FILE to another file.`,
    )
  }
  return {
    ...createUserStore(db),
    ...createOrderStore(db),
    ...createReservationStore(db),
    ...createEventStore(db),
    close: () => db.close(),
  }
}

function createEventStore(db: DatabaseSync) {
  return {
    /** Acts unless this event was stored before. Both are one transaction: if the process ends, neither happened. */
    once(eventId: string, act: () => void) {
      db.exec('begin immediate')
      try {
        const stored = db
          .prepare('insert into webhook_events values (?) on conflict do nothing')
          .run(eventId)
        if (stored.changes === 1) act()
        db.exec('commit')
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
  }
}

function createUserStore(db: DatabaseSync) {
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
      db.prepare('insert into log_ins (token, user_id) values (?, ?)').run(token, user.id)
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

    /** The verifier of a login session. The first one stays, so that a link works in every tab of the browser. */
    storeVerifier(token: string, { verifier, challenge }: Verifier) {
      db.prepare(
        'update log_ins set verifier = ?, challenge = ? where token = ? and verifier is null',
      ).run(verifier, challenge, token)
    },

    findVerifier(token: string): Verifier | undefined {
      const row = db
        .prepare('select verifier, challenge from log_ins where token = ? and verifier is not null')
        .get(token)
      return row as Verifier | undefined
    },

    saveLink(user: User, serviceUserId: string) {
      db.prepare('update users set service_user_id = ? where id = ?').run(serviceUserId, user.id)
    },

    removeLink(user: User) {
      db.prepare('update users set service_user_id = null where id = ?').run(user.id)
    },

    listUsersOf(serviceUserId: string): User[] {
      const rows = db.prepare('select * from users where service_user_id = ?').all(serviceUserId)
      return rows.flatMap((row) => toUser(row) ?? [])
    },

    /** Returns the users who were linked. */
    removeLinks(serviceUserId: string): User[] {
      const rows = db
        .prepare('update users set service_user_id = null where service_user_id = ? returning *')
        .all(serviceUserId)
      return rows.flatMap((row) => toUser(row) ?? [])
    },
  }
}

function createOrderStore(db: DatabaseSync) {
  function endAttempt(order: Order, number: number, status: 'paid' | 'refused') {
    db.prepare('update attempts set status = ? where order_id = ? and number = ?').run(
      status,
      order.id,
      number,
    )
  }

  return {
    addOrder(user: User, item: string, price: string) {
      db.prepare('insert into orders (id, user_id, item, price) values (?, ?, ?, ?)').run(
        randomUUID(),
        user.id,
        item,
        price,
      )
    },

    /** Newest first; only the user's own. */
    listOrders(user: User): Order[] {
      return db
        .prepare('select * from orders where user_id = ? order by rowid desc')
        .all(user.id)
        .map(toOrder)
    },

    findOrder(user: User, id: string): Order | undefined {
      const row = db.prepare('select * from orders where id = ? and user_id = ?').get(id, user.id)
      return row && toOrder(row)
    },

    markRefunded(order: Order, status: 'refunded' | 'partly refunded' = 'refunded') {
      db.prepare('update orders set status = ? where id = ?').run(status, order.id)
    },

    /** The attempt that is still open, or the next one. Stored with its wallet before any money moves. */
    beginAttempt(order: Order, serviceUserId: string): number {
      const row =
        db
          .prepare(`select number from attempts where order_id = ? and status = 'pending'`)
          .get(order.id) ??
        db
          .prepare(
            `insert into attempts (order_id, number)
            select ?, coalesce(max(number), 0) + 1 from attempts where order_id = ? returning number`,
          )
          .get(order.id, order.id)
      const number = Number(row?.['number'])
      db.prepare('insert into attempt_wallets values (?, ?, ?) on conflict do nothing').run(
        order.id,
        number,
        serviceUserId,
      )
      return number
    },

    /** Every wallet that this attempt was sent for: more than one if the user switched between two presses. */
    listAttemptWallets(order: Order, number: number): string[] {
      return db
        .prepare('select service_user_id from attempt_wallets where order_id = ? and number = ?')
        .all(order.id, number)
        .map((row) => String(row['service_user_id']))
    },

    /** The order comes first: if the process ends between the two, the user does not have to pay again. */
    markPaid(order: Order, number: number) {
      db.prepare(`update orders set status = 'paid' where id = ? and status = 'open'`).run(order.id)
      endAttempt(order, number, 'paid')
    },

    /** All attempts before it were refused. */
    findPaidAttempt(order: Order): number {
      const row = db
        .prepare('select max(number) as number from attempts where order_id = ?')
        .get(order.id)
      return Number(row?.['number'])
    },

    markRefused(order: Order, number: number) {
      endAttempt(order, number, 'refused')
    },
  }
}

function createReservationStore(db: DatabaseSync) {
  return {
    markReserved(order: Order) {
      db.prepare(`update orders set status = 'reserved' where id = ? and status = 'open'`).run(
        order.id,
      )
    },

    /** Only a reserved order: what was collected stays paid. */
    markCanceled(order: Order) {
      db.prepare(`update orders set status = 'canceled' where id = ? and status = 'reserved'`).run(
        order.id,
      )
    },

    markCollected(order: Order, price: string) {
      db.prepare(
        `update orders set status = 'paid', price = ? where id = ? and status = 'reserved'`,
      ).run(price, order.id)
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
