import { type DynamicModule, Module } from '@nestjs/common';
import { KYC_LINKS, type KycLinks, KycLinksController } from './kyc-links.controller.ts';

export type KycLinksParts = { readonly kyc: KycLinks };

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class KycLinksModule {
  static with({ kyc }: KycLinksParts): DynamicModule {
    return {
      module: KycLinksModule,
      controllers: [KycLinksController],
      providers: [{ provide: KYC_LINKS, useValue: kyc }],
    };
  }
}
