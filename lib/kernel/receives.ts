/** How often SQS delivers a message before it moves it. Lambda recommends at least 5: a throttled receive counts too. */
export const maximumReceives = 5;
