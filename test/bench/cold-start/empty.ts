/** What no handler can do without. */
export const handler = async (): Promise<void> => {};
