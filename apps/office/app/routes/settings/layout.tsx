import { Outlet } from 'react-router';
import { SettingsNav } from '../../ui/frame/office-nav.tsx';

export default function SettingsLayout() {
  return (
    <div className="settings">
      <SettingsNav />
      <Outlet />
    </div>
  );
}
