import { NotFoundPage } from '../ui/not-found-page.tsx';
import { PlainFrame } from '../ui/plain-frame.tsx';

export default function NotFound() {
  return (
    <PlainFrame>
      <NotFoundPage />
    </PlainFrame>
  );
}
