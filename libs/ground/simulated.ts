import { isFirstKeyInUse } from '#addresses';
import type { Ground } from './ground.ts';

/** "KYC, SMS and e-mail are simulated unless providers are configured; the service says so." */
export const simulatedParts = async ({ configuration, pool }: Pick<Ground, 'configuration' | 'pool'>) => {
  const { engine, rateSources, smtpUrl } = configuration;
  const played = engine === 'simulated';
  return [
    ...(played ? ['payments and screening'] : []),
    ...(played && rateSources === undefined ? ['rates'] : []),
    'KYC',
    'SMS',
    ...(smtpUrl === undefined ? ['e-mail'] : []),
    ...((await isFirstKeyInUse(pool)) ? ['addresses'] : []),
  ];
};
