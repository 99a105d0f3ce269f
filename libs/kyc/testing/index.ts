export { kycTables, openTestKyc, type TestClock, type TestKyc, testClock } from './open-test-kyc.ts';
