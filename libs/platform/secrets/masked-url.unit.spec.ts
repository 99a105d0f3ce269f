import { describe, expect, it } from '@jest/globals';
import { isMaskedUrl, maskedUrl, urlWithoutQuery } from './masked-url.ts';

describe('A URL as it is shown', () => {
  it.each([
    ['https://name:word@partner.example/hooks', 'https://***@partner.example/hooks'],
    ['https://name:a@b@partner.example/hooks', 'https://***@partner.example/hooks'],
    ['https://partner.example/hooks?to=a@b', 'https://partner.example/hooks?to=a@b'],
    ['https://partner.example/a@b', 'https://partner.example/a@b'],
    ['https://\\name:word@partner.example/hooks', 'https://\\***@partner.example/hooks'],
    // Whoever calls it calls the first of the two hosts.
    ['http://caught.example\\@partner.example/hooks', 'http://caught.example\\@partner.example/hooks'],
    ['http://name@caught.example\\@partner.example/hooks', 'http://***@caught.example\\@partner.example/hooks'],
  ])('of %s', (url, shown) => {
    expect(maskedUrl(url)).toBe(shown);
    expect(new URL(maskedUrl(url)).host).toBe(new URL(url).host);
  });

  it('is known as such, and can be without its query', () => {
    expect([isMaskedUrl(maskedUrl('http://a:b@c.example')), isMaskedUrl('http://c.example')]).toEqual([true, false]);
    expect(urlWithoutQuery('http://a:b@c.example/d?e=f')).toBe('http://***@c.example/d?***');
  });
});
