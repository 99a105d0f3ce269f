/** A slow reader is waited for. False: there is none any more. */
export const written = (text: string | Uint8Array): Promise<boolean> =>
  new Promise((resolve) => process.stdout.write(text, (error) => resolve(!error)));
