import { Flash } from '@brightpane/ui/outcomes/flash.tsx';
import { Outlet } from 'react-router';
import { PlainFrame } from '../../ui/frame/plain-frame.tsx';

export default function OutsideLayout() {
  return (
    <PlainFrame>
      <Flash />
      <Outlet />
    </PlainFrame>
  );
}
