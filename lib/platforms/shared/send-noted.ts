import { PlatformError } from '../contract/errors.ts';

/**
 * Makes a call that must not be made again while its outcome is unknown. Notes it first, so that the note survives a
 * crash, and takes the note back if the platform certainly refuses the call.
 *
 * @param note commits true before the call, and false if it is certainly refused
 * @throws the error of the call
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
