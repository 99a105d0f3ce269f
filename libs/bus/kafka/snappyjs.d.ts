declare module 'snappyjs' {
  export const uncompress: (compressed: Uint8Array, maxLength?: number) => Uint8Array;
}
