import { rule } from '#door/rules';

const MOST = 10_000;
const ADDRESS = /^[!-~]{1,128}$/;

const isAddress = (value: unknown): boolean => typeof value === 'string' && ADDRESS.test(value);

export const IsAddressList = (): PropertyDecorator =>
  rule({
    name: 'isAddressList',
    message: `must be a list of 1 to ${MOST} addresses, each 1 to 128 printable characters without spaces`,
    holds: (value) => Array.isArray(value) && value.length > 0 && value.length <= MOST && value.every(isAddress),
  });
