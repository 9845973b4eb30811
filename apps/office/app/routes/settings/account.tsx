import { OfficeTitle } from '../../ui/office-title.tsx';

export default function Account() {
  return <OfficeTitle title="Your account" />;
}
