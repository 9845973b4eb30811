/** An address that may break before its @, and nowhere else. */
export function EmailText({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return at === -1 ? (
    email
  ) : (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}
