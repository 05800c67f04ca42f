import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'

export function findCustomer(userId: bigint): Statement<string> {
  return {
    text: 'select customer_id from directory.customers where service_user_id = $1',
    values: [userId],
    read: (row: { customer_id: string }) => row.customer_id,
  }
}

/** A person has one customer: the first one stays. */
export function insertCustomer(userId: bigint, customerId: string): Statement<string> {
  return {
    text: `insert into directory.customers as c (service_user_id, customer_id) values ($1, $2)
      on conflict (service_user_id) do update set customer_id = c.customer_id returning customer_id`,
    values: [userId, customerId],
    read: (row: { customer_id: string }) => row.customer_id,
  }
}

/** Of people who were deleted. An open payment is finished first. */
export function listEndedCustomers(most: number): Statement<string> {
  return {
    text: `select customer_id from directory.customers c where ended_at is not null
        and not exists (
          select from directory.topups t where t.service_user_id = c.service_user_id and t.status = 'open'
        )
      order by ended_at limit $1`,
    values: [most],
    read: (row: { customer_id: string }) => row.customer_id,
  }
}

export function deleteCustomer(customerId: string): pg.QueryConfig {
  return {
    text: 'delete from directory.customers where customer_id = $1 and ended_at is not null',
    values: [customerId],
  }
}
