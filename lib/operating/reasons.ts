/** Returns the form of a reason by which it is counted: two reasons that differ only in numbers and ids are the same. Pure. */
export const sameReason = (reason: string): string => reason.replaceAll(/[\w-]*\d[\w-]*/g, '#');
