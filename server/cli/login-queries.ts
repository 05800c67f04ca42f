import type { Statement } from '../database/statement.ts'

interface Login {
  login: string
  owner: string
  /** It may create and change tables, or everything has been migrated by another role of which it is a member. */
  ownsSchema: boolean
  /** Or the role of the service exists. */
  mayCreateRoles: boolean
}

interface LoginRow {
  login: string
  owner: string
  owns_schema: boolean
  may_create_roles: boolean
}

export const READ_LOGIN: Statement<Login> = {
  text: `select current_user::text as login, pg_get_userbyid(coalesce(migrations.relowner, datdba))::text as owner,
    case when migrations.relowner is null
      then has_database_privilege(datname, 'create') and has_schema_privilege('public', 'create')
      else pg_has_role(migrations.relowner, 'usage') end as owns_schema,
    rolsuper or rolcreaterole or to_regrole('coffer_service') is not null as may_create_roles
  from pg_database
  join pg_roles on rolname = current_user
  left join pg_class as migrations on migrations.oid = to_regclass('public.migrations')
  where datname = current_database()`,
  read: (row: LoginRow) => ({
    login: row.login,
    owner: row.owner,
    ownsSchema: row.owns_schema,
    mayCreateRoles: row.may_create_roles,
  }),
}
