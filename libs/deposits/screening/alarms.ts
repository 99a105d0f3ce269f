/** What screening can find that freezes a deposit or holds its return. */
export type ScreeningAlarm = 'ofac_hit' | 'kyt_failed';
