import { NotFoundPage } from '../ui/frame/not-found-page.tsx';
import { PlainFrame } from '../ui/frame/plain-frame.tsx';

export default function NotFound() {
  return (
    <PlainFrame>
      <NotFoundPage />
    </PlainFrame>
  );
}
