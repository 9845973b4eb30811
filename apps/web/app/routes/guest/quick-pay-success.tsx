import { useLocation } from 'react-router';
import { readReceipt } from '../../features/quick-pay/guest-receipt.ts';
import { SuccessScreen } from '../../features/quick-pay/success-screen.tsx';

export default function QuickPaySuccess() {
  return <SuccessScreen receipt={readReceipt(useLocation().state)} />;
}
