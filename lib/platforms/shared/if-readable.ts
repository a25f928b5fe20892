import { PlatformError } from '../contract/errors.ts';

/**
 * Reads a platform's evidence about a last call. A refused read, such as one for which the app lacks a permission, says
 * nothing about the call, nor about the account's right to publish.
 *
 * @returns undefined if the platform refuses the read
 * @throws PlatformError if the read may succeed later, or needs a new token
 */
export async function ifReadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PlatformError && isRefusedRead(error)) return undefined;
    throw error;
  }
}

const isRefusedRead = ({ remedy, concerns }: PlatformError): boolean =>
  remedy === 'restricted' || remedy === 'rejected' || (remedy === 'reauthorise' && concerns === 'feature');
