import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { Partners } from '#partners';
import { KeyController } from './integration/key.controller.ts';
import { AUTHENTICATE, DESCRIBE_KEY } from './parts.ts';

export type ApiParts = { readonly partners: Pick<Partners, 'authenticate' | 'authenticateOperator' | 'describeKey'> };

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class ApiModule {
  static with({ partners }: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      controllers: [KeyController],
      providers: [
        { provide: AUTHENTICATE, useValue: partners.authenticate },
        { provide: AUTHENTICATE_OPERATOR, useValue: partners.authenticateOperator },
        { provide: DESCRIBE_KEY, useValue: partners.describeKey },
      ],
    };
  }
}
