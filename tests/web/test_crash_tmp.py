import pytest


def test_a(surface):
    pass


def test_b(surface):
    try:
        surface.driver.get("chrome://crash")
    except Exception as e:
        print(e)


def test_c(surface):
    assert surface.call("python_run", code="1")["result"] == 1


def test_d(surface):
    surface.driver.service.process.kill()


def test_e(surface):
    assert surface.call("python_run", code="1")["result"] == 1
