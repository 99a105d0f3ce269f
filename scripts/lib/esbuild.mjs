/** Its own process, which would stay with all that it remembers, ends with the build. */
export const esbuild = async (options) => {
  // Not before all is installed.
  const { build, stop } = await import('esbuild');
  try {
    return await build({ logLevel: 'warning', write: false, bundle: true, legalComments: 'none', ...options });
  } finally {
    await stop();
  }
};
