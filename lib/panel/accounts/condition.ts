/** What a person has to know about an account. `expiring`: it works, and ends unless the person acts. */
export type Condition = 'ok' | 'expiring' | 'error' | 'expired';
