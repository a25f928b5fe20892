import * as z from 'zod';
import { sha256 } from '../kernel/ids.ts';

/** The maximum length of an address that mail servers accept (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const maxCharacters = 254;

/**
 * An email address as it is stored and compared: in lower case, without spaces around it. Mail servers may distinguish upper and
 * lower case before the `@`, but none that we know does. Only ASCII, which is checked before: the lower case of other characters,
 * such as the Kelvin sign, can be ASCII too, and two people's addresses would become one.
 */
export const EmailAddress = z
  .string()
  .trim()
  .pipe(
    z.email({ error: 'must be an email address, such as ada@example.com' }).max(maxCharacters).toLowerCase(),
  );

/** Returns the digest by which an invitation is found. @param address as {@link EmailAddress} returns it */
export const addressDigest = (address: string): string => sha256(address);
