/** Shows a password manager which account the password belongs to. */
export function UserName({ email }: { email: string }) {
  return (
    <input type="email" name="username" autoComplete="username" value={email} hidden readOnly />
  )
}
