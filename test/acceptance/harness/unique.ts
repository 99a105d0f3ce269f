import { randomBytes, randomInt, randomUUID } from 'node:crypto';

export const unique = (what: string): string => `${what}-${randomUUID()}`;

export const uniquePhone = (): string => `+1555${String(randomInt(1e12)).padStart(12, '0')}`;

export const transactionId = (): string => randomBytes(32).toString('hex');
