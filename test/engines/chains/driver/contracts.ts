/** Contracts of the tests, as bytes: each is given 32 bytes with the address to pay. */
const NOTHING = '6000600060006000';
const TO = '600035';
const CALL = '5af1';
const VALUE = '34';
const HALF = '60023404';
const LEFT = '47';
/** So many less as the block has a height. */
const LESS = '433403';

const pay = (value: string): string => `${NOTHING}${value}${TO}${CALL}`;

/** A half is left to itself by a contract that it makes, and one more is sent to a contract that has ended already. */
const BURN = `6130ff5f526002601e${HALF}f0506132ff5f526002601e5ff05f5f5f5f6001855af15050`;

export const contracts = {
  /** Passes on what it is sent. */
  forward: `${pay(VALUE)}00`,
  /** Passes on another sum in each block. */
  less: `${pay(LESS)}00`,
  /** Passes it on in two calls. */
  inTwo: `${pay(HALF)}50${pay(HALF)}00`,
  /** Passes on a half, and keeps the other. */
  half: `${pay(HALF)}00`,
  /** Lends itself to the address: a value is shown, and none moves. */
  delegate: `${NOTHING}${TO}5af400`,
  /** Ends itself, and leaves all it has to the address. */
  destroy: `${TO}ff`,
  /** The same, once it has used 150,000 gas. */
  destroyDearly: `6203ffff5150${TO}ff`,
  /** Passes it on, and takes everything back. */
  forwardAndRevert: `${pay(VALUE)}60006000fd`,
  /** Has the contract of the second word try, and goes on whatever comes of it. */
  goOn: '60206000600037600060006020600034602035' + '5af100',
  /** Calls whoever calls it with 64 kB, again and again, until it has no gas. */
  bomb: '61ffe051505b5f5f620100005f5f335af150600556',
  /** Passes on what it is sent, and then calls in that way for as long as it has gas to end well. */
  forwardAndBomb: `${pay(VALUE)}5061ffe051505b5f5f620100005f5f335af15061c3505a1160145700`,
  /** Burns a half and one more, and passes on the rest. */
  burnAndForward: `${BURN}${pay(LEFT)}00`,
} as const;

export const word = (address: string): string => address.replace('0x', '').toLowerCase().padStart(64, '0');
