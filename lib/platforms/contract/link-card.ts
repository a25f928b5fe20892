import * as z from 'zod';

/** The longest texts of a card, so that a target's item stays small: all of it takes at most about 20 KB. */
export const cardLimits = { title: 400, description: 1_000, address: 2_048 } as const;

/** The card that a platform shows below a text with a link, as the linked page describes itself. */
export const LinkCard = z.object({
  /** The address in the text. */
  url: z.string(),
  title: z.string(),
  description: z.string().optional(),
  /** The address of the picture, at any public host. */
  imageUrl: z.string().optional(),
});
export type LinkCard = z.infer<typeof LinkCard>;

/** A picture that was fetched from its address, or the reason why there is none, for people. */
export type FetchedPicture =
  | { readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly problem: string };
