import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
import type { Partners } from '#partners';
import { KeyController } from './integration/key.controller.ts';
import { AUTHENTICATE, DESCRIBE_KEY } from './parts.ts';

export type ApiParts = { readonly partners: Pick<Partners, 'authenticate' | 'authenticateOperator' | 'describeKey'> };

export const keyRoutes = ({ partners }: ApiParts): DynamicModule =>
  routesOf([KeyController], {
    [AUTHENTICATE]: partners.authenticate,
    [AUTHENTICATE_OPERATOR]: partners.authenticateOperator,
    [DESCRIBE_KEY]: partners.describeKey,
  });
