import { PlatformError } from '../contract/errors.ts';

/**
 * Makes a call that must not be made again while its outcome is unknown. Notes it before, so that the note survives a crash,
 * and takes the note back if the platform certainly refuses the call.
 *
 * @param note commits whether the call was sent
 * @throws what the call throws
 */
export async function sendNoted(
  note: (isSent: boolean) => Promise<void>,
  send: () => Promise<unknown>,
): Promise<void> {
  await note(true);
  try {
    await send();
  } catch (error) {
    if (error instanceof PlatformError && error.remedy !== 'unknown') await note(false);
    throw error;
  }
}
