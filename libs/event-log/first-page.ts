/** Most streams are no longer: whoever wants no more of a long one, or has to wait for the rest, has read little. */
export const FIRST_PAGE = 100;
