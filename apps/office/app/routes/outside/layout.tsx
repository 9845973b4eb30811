import { Flash } from '@brightpane/ui/flash.tsx';
import { Outlet } from 'react-router';
import { PlainFrame } from '../../ui/plain-frame.tsx';

export default function OutsideLayout() {
  return (
    <PlainFrame>
      <Flash />
      <Outlet />
    </PlainFrame>
  );
}
