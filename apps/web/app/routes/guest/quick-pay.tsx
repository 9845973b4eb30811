import { PageTitle } from '../../ui/page-title.tsx';

export default function QuickPay() {
  return <PageTitle title="Pay Invoice" />;
}
