import type { ApiVersion } from '../contract/api-version.ts';

/** "Versioning": a version is served for a year; after that every call answers 426. */
export const linkedinVersion: ApiVersion = { name: '202609', sunsetOn: '2027-09-15' };
