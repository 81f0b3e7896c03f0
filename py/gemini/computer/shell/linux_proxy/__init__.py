"""The HTTP proxy of Linux in the page, which sends each request of its programs through the network door.

`connections` has the bytes of its clients, which builder/linux/guest/proxy.c carries and decrypts, `client` HTTP/1.1
with one of them, and `proxy` decides what is sent.
"""
