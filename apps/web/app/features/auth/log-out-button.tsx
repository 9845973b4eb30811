import { useNavigate } from 'react-router';
import { logOut } from './log-out.ts';

export function LogOutButton({ className }: { className: string }) {
  const navigate = useNavigate();
  return (
    <button
      type="button"
      className={className}
      onClick={() => {
        logOut();
        void navigate('/');
      }}
    >
      Log out
    </button>
  );
}
