import * as z from 'zod';
import { sha256 } from '../kernel/ids.ts';
/** The longest address that mail servers accept (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const maxCharacters = 254;
/**
 * An email address as it is stored and compared: in lower case, without spaces around it. Mail servers may tell the cases of
 * the part before the `@` apart, but none that we know does.
 */
export const EmailAddress = z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email({ error: 'must be an email address, such as ada@example.com' }).max(maxCharacters));
/** By which an invitation is found. @param address as {@link EmailAddress} returns it */
export const addressDigest = (address) => sha256(address);
