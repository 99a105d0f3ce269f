import { SetMetadata } from '@nestjs/common';

export const DANGEROUS = 'dangerous';

/** In the console whoever does this shows his token again and says why, which goes to the audit trail before it is done. */
export const Dangerous = () => SetMetadata(DANGEROUS, true);
