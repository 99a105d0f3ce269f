export { qrCode } from './qr-code.ts';
