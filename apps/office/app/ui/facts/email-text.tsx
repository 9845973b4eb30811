/** An email address that may only break before its @. */
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
