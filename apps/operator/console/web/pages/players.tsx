import type { PlayerBody } from '../../../players/player-bodies.ts';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import { ListPage, type ListSpec, type Query } from '../parts/list-page.tsx';

const Acts = ({ player: { entity_id, gambler_ref, kyc } }: { player: PlayerBody }) => (
  <div class="buttons">
    {['verified', 'rejected']
      .filter((state) => state !== kyc)
      .map((state) => (
        <Act
          key={state}
          needs="setPlayer"
          text={state}
          ask={{
            title: `KYC of ${gambler_ref} at casino ${entity_id}`,
            label: `Set to ${state}`,
            children: (
              <p>
                Now: <strong>{kyc}</strong>. Then: <strong>{state}</strong>.
              </p>
            ),
            act: () => call('/operator/players', { method: 'PUT', body: { entity_id, gambler_ref, kyc: state } }),
          }}
        />
      ))}
    <Act
      needs="revealPlayer"
      text="Show phone"
      ask={{
        title: `Show the phone of ${gambler_ref}`,
        label: 'Show it',
        children: <p>That you looked at it goes to the audit trail.</p>,
        act: () => call('/operator/players/reveal', { method: 'POST', body: { entity_id, gambler_ref } }),
        shows: (answer) => (
          <p>
            <code>{(answer as PlayerBody).phone ?? 'none is known'}</code>
          </p>
        ),
      }}
    />
    <Act
      needs="erasePlayer"
      text="Erase"
      ask={{
        title: `Erase the contacts of ${gambler_ref}`,
        label: 'Erase for ever',
        dangerous: true,
        children: <p>Phones, e-mail addresses and messages of this player at casino {entity_id} are gone for ever.</p>,
        act: (reason) => call('/operator/players/erase', { method: 'POST', body: { entity_id, gambler_ref }, reason }),
      }}
    />
  </div>
);

const spec: ListSpec<PlayerBody> = {
  title: 'Players',
  page: '/players',
  route: '/operator/players',
  items: 'players',
  keyOf: ({ entity_id, gambler_ref }) => `${entity_id} ${gambler_ref}`,
  filters: [
    { name: 'entity_id', label: 'Casino (id)' },
    { name: 'gambler_ref', label: 'Player' },
    { name: 'kyc', label: 'KYC', words: ['none', 'link_sent', 'pending', 'verified', 'rejected'] },
  ],
  columns: [
    { head: 'Casino', text: ({ entity_id }) => String(entity_id) },
    { head: 'Player', text: ({ gambler_ref }) => gambler_ref },
    { head: 'KYC', text: ({ kyc }) => kyc },
    { head: 'Phone', text: ({ phone }) => phone ?? '–' },
    { head: 'Act', text: () => '', cell: (player) => <Acts player={player} /> },
  ],
};

export const Players = ({ query }: { query: Query }) => <ListPage spec={spec} query={query} />;
