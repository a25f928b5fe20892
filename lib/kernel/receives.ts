/**
 * The number of times that SQS delivers a message before it moves it to the dead letters. Lambda recommends at least 5: a
 * throttled receive counts too.
 */
export const maximumReceives = 5;
