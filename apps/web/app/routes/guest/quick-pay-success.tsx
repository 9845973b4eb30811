import { PageTitle } from '../../ui/page-title.tsx';

export default function QuickPaySuccess() {
  return <PageTitle title="Payment success" />;
}
