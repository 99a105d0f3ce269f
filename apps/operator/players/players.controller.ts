import { Body, Get, HttpCode, Inject, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { entityIdOf } from '#door/deposits';
import { accountErrors, scopeErrors, shown } from '#door/errors';
import { cursorIn, limitIn } from '#door/lists';
import { Described } from '#door/openapi';
import { maskedPhone, type Player, readPlayerCursor } from '#kyc';
import { actorOf, type Operator } from '#partners';
import { KYC, type OperatedKyc } from './parts.ts';
import {
  PlayerBody,
  PlayerRefBody,
  PlayersBody,
  PlayersQuery,
  RevealedPlayerBody,
  SetPlayerBody,
} from './player-bodies.ts';

const playerNotFound = () => shown(404, 'Player not found', { code: 'player_not_found' });
const entityNotFound = () => accountErrors.notFound('Entity');

const factsOf = ({ entityId, gamblerRef, kyc, phone }: Player): PlayerBody => ({
  entity_id: entityId,
  gambler_ref: gamblerRef,
  kyc,
  phone,
});

/** Phones are for whoever says that he looks at one. */
const maskedOf = (player: Player): PlayerBody => ({
  ...factsOf(player),
  phone: player.phone && maskedPhone(player.phone),
});

@OperatorRoutes('operator/players', 'Operator: players')
export class PlayersController {
  @Inject(KYC) private readonly kyc!: OperatedKyc;

  @Put()
  @Roles('admin', 'ops')
  @Described('setPlayer', 'Sets the KYC status of a player, who is made if unknown')
  @ApiOkResponse({ type: PlayerBody })
  @OperatorErrors(entityNotFound())
  async set(@Body() body: SetPlayerBody, @Actor() operator: Operator): Promise<PlayerBody> {
    const { entity_id: entityId, gambler_ref: gamblerRef, kyc, phone = null } = body;
    const player = await this.kyc.setPlayer({ entityId, gamblerRef, kyc, phone }, actorOf(operator));
    if (!player) throw entityNotFound();
    return phone === null ? maskedOf(player) : factsOf(player);
  }

  @Post('erase')
  @HttpCode(200)
  @Roles('admin', 'ops')
  @Dangerous()
  @Described(
    'erasePlayer',
    "Erases a player's phones, e-mail addresses and messages",
    'The KYC status and the history of deposits stay: they name nobody.',
  )
  @ApiOkResponse({ type: PlayerRefBody })
  @OperatorErrors(playerNotFound())
  async erase(@Body() body: PlayerRefBody, @Actor() operator: Operator): Promise<PlayerRefBody> {
    const { entity_id, gambler_ref } = body;
    const erased = await this.kyc.eraseContacts({ entityId: entity_id, gamblerRef: gambler_ref }, actorOf(operator));
    if (!erased) throw playerNotFound();
    return { entity_id, gambler_ref };
  }

  @Post('reveal')
  @HttpCode(200)
  @Roles('admin', 'ops')
  @Described('revealPlayer', 'The telephone number of a player, which is put on record with who looked at it')
  @ApiOkResponse({ type: RevealedPlayerBody })
  @OperatorErrors(playerNotFound())
  async reveal(
    @Body() { entity_id, gambler_ref }: PlayerRefBody,
    @Actor() operator: Operator,
  ): Promise<RevealedPlayerBody> {
    const player = await this.kyc.revealPlayer({ entityId: entity_id, gamblerRef: gambler_ref }, actorOf(operator));
    if (!player) throw playerNotFound();
    return factsOf(player);
  }

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listPlayers', 'Players with their KYC status, and of each phone the end')
  @ApiOkResponse({ type: PlayersBody })
  @OperatorErrors(scopeErrors.invalidEntityId())
  async list(@Query() { entity_id, gambler_ref, kyc, cursor, ...page }: PlayersQuery): Promise<PlayersBody> {
    const { items, next_cursor } = await this.kyc.listPlayers({
      ...(entity_id !== undefined && { entityId: entityIdOf(entity_id) }),
      gamblerRef: gambler_ref,
      kyc,
      limit: limitIn(page),
      after: cursorIn(cursor, readPlayerCursor),
    });
    return { players: items.map(maskedOf), next_cursor };
  }
}
