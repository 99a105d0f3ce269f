import type { Started } from './start.ts';

const firstStart = (url: string, { key, entityId }: NonNullable<Started['demonstration']>): string[] => [
  '',
  `This first start made the affiliate "Demonstration", a casino (entity_id ${entityId}) and an API key.`,
  'The key is shown this once:',
  '',
  `  ${key}`,
  '',
  'Try it:',
  '',
  `  curl ${url}/health/ready`,
  `  curl -H 'X-API-Key: ${key}' ${url}/casino/integration/key`,
  `  curl ${url}/openapi.json`,
  '',
];

/** What a person at a terminal wants to know; on the first start also how to begin. */
export const greeting = ({ url, demonstration }: Started): string =>
  [`Cointill  ${url}`, `Docs      ${url}/docs`, ...(demonstration ? firstStart(url, demonstration) : [])].join('\n');
