import * as z from 'zod';
export const platformNames = [
    'instagram',
    'facebook',
    'threads',
    'youtube',
    'pinterest',
    'tiktok',
    'linkedin',
];
export const Platform = z.enum(platformNames).meta({ id: 'Platform' });
/** The platforms' names as people write them. */
export const platformTitles = {
    instagram: 'Instagram',
    facebook: 'Facebook',
    threads: 'Threads',
    youtube: 'YouTube',
    pinterest: 'Pinterest',
    tiktok: 'TikTok',
    linkedin: 'LinkedIn',
};
/** Who a login posts as. LinkedIn requires a separate app for each. */
export const AccountKind = z.enum(['member', 'organization']);
/** The type of a file in a post. A document (LinkedIn only) is an `image`. */
export const MediaType = z.enum(['video', 'image']).meta({ id: 'MediaType' });
