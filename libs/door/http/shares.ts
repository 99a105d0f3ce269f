export type Share = {
  /** So much of it is held now, be it more than before or less. */
  readonly hold: (bytes: number) => void;
  readonly leave: () => void;
};

type Limits = { readonly most: number; readonly mostOfOne: number };

type Held = { bytes: number; readonly letGo: () => void };

type Owner = { bytes: number; readonly all: Set<Held> };

/** Of those that are as large the one that came first: it had the most time. */
const largestOf = ({ all }: Owner): Held | undefined => {
  let largest: Held | undefined;
  for (const held of all) if (held.bytes > (largest?.bytes ?? 0)) largest = held;
  return largest;
};

/**
 * Of what is held already nothing can be refused. Past what there is room for, whoever has the most loses his largest, not
 * whoever comes last: he who holds all of it loses to himself alone. What nobody else holds anything beside is let be,
 * however large.
 */
export const createShares = ({ most, mostOfOne }: Limits) => {
  const owners = new Map<string, Owner>();
  let bytesOfAll = 0;

  const add = (name: string, held: Held, bytes: number): Owner => {
    const owner = owners.get(name) ?? { bytes: 0, all: new Set() };
    owners.set(name, owner);
    bytesOfAll += bytes;
    owner.bytes += bytes;
    held.bytes += bytes;
    if (held.bytes > 0) owner.all.add(held);
    else owner.all.delete(held);
    if (owner.all.size === 0) owners.delete(name);
    return owner;
  };

  const letLargestGo = (name: string, owner: Owner): void => {
    const largest = largestOf(owner);
    if (!largest) return;
    add(name, largest, -largest.bytes);
    largest.letGo();
  };

  const letOneGo = (): void => {
    let [name, most]: [string, Owner | undefined] = ['', undefined];
    for (const [each, owner] of owners) if (owner.bytes > (most?.bytes ?? 0)) [name, most] = [each, owner];
    if (most) letLargestGo(name, most);
  };

  return {
    held: (): number => bytesOfAll,
    enter: (name: string, letGo: () => void): Share => {
      let isOver = false;
      const over = (): void => {
        isOver = true;
      };
      const held: Held = {
        bytes: 0,
        letGo: () => {
          over();
          letGo();
        },
      };
      return {
        hold: (bytes) => {
          if (isOver) return;
          const owner = add(name, held, bytes - held.bytes);
          while (owner.bytes > mostOfOne && owner.all.size > 1) letLargestGo(name, owner);
          while (bytesOfAll > most && (owners.size > 1 || owner.all.size > 1)) letOneGo();
        },
        leave: () => {
          over();
          if (held.bytes > 0) add(name, held, -held.bytes);
        },
      };
    },
  };
};
