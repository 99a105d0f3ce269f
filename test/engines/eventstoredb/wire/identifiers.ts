import { shared } from './definitions.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const fromBits = ({ mostSignificantBits, leastSignificantBits }: shared.UUID.Structured.AsObject) => {
  const half = (bits: string) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');
  return (half(mostSignificantBits) + half(leastSignificantBits)).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** Undefined for what is no id, the nil one included. */
export const readUuid = (uuid: shared.UUID | undefined) => {
  const structured = uuid?.getStructured();
  const text = structured ? fromBits(structured.toObject()) : (uuid?.getString() ?? '');
  return UUID.test(text) && text !== NIL ? text.toLowerCase() : undefined;
};

export const writeUuid = (id: string) => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid;
};

export const readStreamName = (identifier: shared.StreamIdentifier | undefined) =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

export const writeStreamName = (name: string) => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(name));
  return identifier;
};
