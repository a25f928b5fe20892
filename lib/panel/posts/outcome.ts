const prefix = /^outcome unknown: /;
const place = /^outcome unknown: check (https?:\/\/\S+) before retrying/;

/** The reason, without what the state beside it says already. */
export const reasonIn = (error: string): string => error.replace(prefix, '');

/** The address at which a person sees whether the post is there, if the service names one. It is never in words of the platform. Pure. */
export const placeToCheck = (error: string | null): string | undefined => place.exec(error ?? '')?.[1];
