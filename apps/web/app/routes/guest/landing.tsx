export { LandingScreen as default } from '../../features/quick-pay/landing-screen.tsx';
