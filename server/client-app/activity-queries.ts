import type pg from 'pg'

export function writeUses(secretIds: readonly string[]): pg.QueryConfig {
  return {
    text: `insert into admin.secret_uses (secret_id, used_at)
      select s.id, now() from directory.client_secrets s where s.id = any($1::bigint[]) order by s.id
      on conflict (secret_id) do update set used_at = now()`,
    values: [secretIds],
  }
}

/** The hash of a secret with a newer pepper. */
export interface NewHash {
  secretId: string
  hmac: Buffer
  pepperId: string
  from: string
}

/** Skips secrets that another process is changing or has changed since. */
export function writeHashes(hashes: readonly NewHash[]): pg.QueryConfig {
  return {
    text: `with due as (
        select s.id, x.hmac, x.pepper_id
        from unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[]) as x(id, hmac, pepper_id, renewed_from)
        join directory.client_secrets s on s.id = x.id and s.pepper_id = x.renewed_from
        order by s.id for update of s skip locked
      )
      update directory.client_secrets s
      set hmac = due.hmac, renewed_from = s.pepper_id, pepper_id = due.pepper_id
      from due where s.id = due.id`,
    values: [
      hashes.map(({ secretId }) => secretId),
      hashes.map(({ hmac }) => hmac),
      hashes.map(({ pepperId }) => pepperId),
      hashes.map(({ from }) => from),
    ],
  }
}

export interface Refusal {
  clientId: string
  kind: 'origin' | 'error'
  value: string
  times: number
}

/** In the order of the key, so that two processes do not deadlock. */
export function writeRefusals(refusals: readonly Refusal[]): pg.QueryConfig {
  return {
    text: `insert into admin.app_activity as s (client_app_id, kind, value, times)
      select a.id, x.kind, x.value, x.times
      from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as x(client_id, kind, value, times)
      join directory.client_apps a on a.client_id = x.client_id
      order by a.id, x.kind, x.value
      on conflict (client_app_id, kind, value) do update
      set times = s.times + excluded.times, last_at = now()`,
    values: [
      refusals.map(({ clientId }) => clientId),
      refusals.map(({ kind }) => kind),
      refusals.map(({ value }) => value),
      refusals.map(({ times }) => times),
    ],
  }
}

/** Keeps the newest for each app. */
export function deleteOldRefusals(clientIds: readonly string[], most: number): pg.QueryConfig {
  return {
    text: `delete from admin.app_activity s using (
        select n.client_app_id, n.kind, n.value, row_number()
          over (partition by n.client_app_id order by n.last_at desc, n.kind, n.value) as place
        from admin.app_activity n join directory.client_apps a on a.id = n.client_app_id
        where a.client_id = any($1::text[])
      ) old
      where old.place > $2 and s.client_app_id = old.client_app_id and s.kind = old.kind and s.value = old.value`,
    values: [clientIds, most],
  }
}
